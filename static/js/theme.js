// Runs before the first paint, so that the wrong theme doesn't flash. theme-switch.js sets the key.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is disabled by a privacy setting: use the system's theme.
}
