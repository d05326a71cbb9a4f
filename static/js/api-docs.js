// Starts Swagger UI in #api-docs with the schema that the page names, and keeps it in the theme of the page.

import { inSitePage, nameFields } from "./api-docs-layout.js";

const place = document.getElementById("api-docs");
const systemTheme = matchMedia("(prefers-color-scheme: dark)");

/** Swagger UI has a dark look of its own, under this class. */
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
  syntaxHighlight: false, // its colours are too faint on its ground
  supportedSubmitMethods: ["get"], // documentation: nothing is published from here
  validatorUrl: null, // the schema is sent to nobody
});
