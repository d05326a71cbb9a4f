// Starts Swagger UI in #api-docs with the page's schema URL, and makes it follow the page's theme.

const place = document.getElementById("api-docs");
const systemTheme = matchMedia("(prefers-color-scheme: dark)");

/** Swagger UI's dark theme uses this class. */
function followTheme() {
  const theme = document.documentElement.dataset.theme ?? (systemTheme.matches ? "dark" : "light");
  document.documentElement.classList.toggle("dark-mode", theme === "dark");
}

/** Replaces Swagger UI's layout, which would add a second <main> with a second <h1>. */
function siteLayout(h) {
  return function SiteLayout({ getComponent, specSelectors }) {
    const part = (name, isContainer = true) => h(getComponent(name, isContainer));
    const frame = (...children) => h("div", { className: "swagger-ui" }, part("SvgAssets", false), ...children);
    if (specSelectors.loadingStatus() !== "success") {
      const lines = Array.from({ length: 12 }, (_, key) => h("div", { key, className: "skeleton" }));
      return frame(h("p", { role: "status", className: "visually-hidden" }, "Reading the schema"), lines, part("errors"));
    }
    return frame(
      h("div", { className: "scheme-container" }, part("AuthorizeBtnContainer")),
      h("h2", { className: "api-docs-heading" }, "Operations"),
      part("operations"),
    );
  };
}

/** The name of an operation without a link, since it is inside the button that opens the operation. */
function plainName(h) {
  return function DeepLink({ text }) {
    return h("span", null, text);
  };
}

function inSitePage({ React }) {
  const h = React.createElement;
  return { components: { SiteLayout: siteLayout(h), DeepLink: plainName(h) } };
}

/** Labels the fields in a parameter's row with its name, including those that Swagger UI adds later. */
function nameFields(place) {
  const nameAll = () => {
    for (const field of place.querySelectorAll("tr[data-param-name] :is(select, input, textarea):not([aria-label])")) {
      field.setAttribute("aria-label", field.closest("tr").dataset.paramName);
    }
  };
  new MutationObserver(nameAll).observe(place, { childList: true, subtree: true });
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
  syntaxHighlight: false, // its colors lack contrast
  requestInterceptor(request) {
    // The schema names the site's own address; the page may be open at another one of it, the only one it may read.
    const { pathname, search } = new URL(request.url, location.href);
    return { ...request, url: `${location.origin}${pathname}${search}` };
  },
  supportedSubmitMethods: ["get"], // nothing can be published from the documentation
  validatorUrl: null, // don't send the schema to a third party
});
