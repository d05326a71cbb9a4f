// Starts Swagger UI in #api-docs with the schema that the page names.

const place = document.getElementById("api-docs");

globalThis.SwaggerUIBundle({
  url: place.dataset.schemaUrl,
  domNode: place,
  deepLinking: true,
  tryItOutEnabled: false,
  validatorUrl: null, // the schema is sent to nobody
});
