() => [...document.querySelectorAll("button, input, select, textarea")]
    .filter(control => control.checkVisibility({visibilityProperty: true}) && !control.form)
    .map(control => control.outerHTML)
