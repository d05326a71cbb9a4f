// Runs before the first paint, so that a chosen theme does not flash. The key is theme-switch.js's.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed to the page (a privacy setting): the system's theme stays.
}
