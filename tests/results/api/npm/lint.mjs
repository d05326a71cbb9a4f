// Prints the errors that Redocly's recommended rules find in an OpenAPI document, as JSON: node lint.mjs schema.json
import { createConfig, lint } from "@redocly/openapi-core";

// Addresses end with a slash, which v1 promises to keep.
const rules = { "no-path-trailing-slash": "off" };
const config = await createConfig({ extends: ["recommended"], rules });
const problems = await lint({ ref: process.argv[2], config });
const errors = problems.filter(({ severity }) => severity === "error");
console.log(JSON.stringify(errors.map(({ ruleId, location }) => [ruleId, location[0].pointer])));
