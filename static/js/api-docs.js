// Starts Swagger UI in #api-docs with the page's schema URL, and makes it follow the page's theme.

import { inSitePage, nameFields } from "./api-docs-layout.js";

const place = document.getElementById("api-docs");
const systemTheme = matchMedia("(prefers-color-scheme: dark)");

/** Swagger UI's dark theme uses this class. */
function followTheme() {
  const theme = document.documentElement.dataset.theme ?? (systemTheme.matches ? "dark" : "light");
  document.documentElement.classList.toggle("dark-mode", theme === "dark");
}

followTheme();
document.addEventListener("theme-change", followTheme);
systemTheme.addEventListener("change", followTheme);

nameFields(place);
globalThis.SwaggerUIBundle({
  url: place.dataset.schemaUrl,
  domNode: place,
  deepLinking: true,
  plugins: [inSitePage],
  layout: "SiteLayout",
  syntaxHighlight: false, // its colours lack contrast
  supportedSubmitMethods: ["get"], // nothing can be published from the documentation
  validatorUrl: null, // don't send the schema to a third party
});
