
() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
  .filter((one) => one.type !== "hidden")
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.tabIndex >= 0)
  .filter((one) => one.type !== "radio" || one.checked
    || ![...document.getElementsByName(one.name)].some((other) => other.checked)
    && document.getElementsByName(one.name)[0] === one)
  .length
