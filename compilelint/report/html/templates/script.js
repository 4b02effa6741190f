"use strict";
// The page is whole without this: what is here filters, remembers a theme and spares keystrokes.

(function themes() {
  const button = document.querySelector(".theme");
  const names = ["auto", "light", "dark"];
  const words = { auto: "as the system has it", light: "light", dark: "dark" };
  const signs = { auto: "◐", light: "☀", dark: "☾" };
  let name = "auto";
  try {
    name = localStorage.getItem("compilelint-theme") || name;
  } catch {
    // A file that was opened from disk may have no storage.
  }
  const show = () => {
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    button.textContent = signs[name];
    button.setAttribute("aria-label", "Theme: " + words[name]);
    button.title = "Theme: " + words[name];
  };
  if (!names.includes(name)) name = "auto";
  button.addEventListener("click", () => {
    name = names[(names.indexOf(name) + 1) % names.length];
    try {
      localStorage.setItem("compilelint-theme", name);
    } catch {
      // Then it holds for this page alone.
    }
    show();
  });
  button.hidden = false;
  show();
})();

(function links() {
  // A link to something in a closed part of the page opens that part.
  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    const own = target.matches("details") ? target : target.matches("li") ? target.querySelector("details") : null;
    if (own) own.open = true;
    for (let each = target.parentElement; each; each = each.parentElement) {
      if (each.matches("details")) each.open = true;
    }
    target.scrollIntoView();
    const focus = own ? own.querySelector("summary") : null;
    if (focus) focus.focus({ preventScroll: true });
  };
  window.addEventListener("hashchange", reveal);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link && link.getAttribute("href") === location.hash) reveal();
  });
  reveal();
})();

(function scrolling() {
  // What can be scrolled can be reached with the keyboard: not every browser sees to that.
  // Only what is open is asked for its width: to ask of the rest would lay out thousands of closed findings.
  const reach = (parts) => {
    for (const each of parts) {
      if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
    }
  };
  const scrollable = (part) => part.querySelectorAll(".code, pre, .prose table");
  document.addEventListener("toggle", (event) => event.target.open && reach(scrollable(event.target)), true);
  document.querySelectorAll("details[open]").forEach((each) => reach(scrollable(each)));
  reach(document.querySelectorAll(".wide"));
})();

(function timeline() {
  // One stop for the keyboard in each lane; the arrow keys go from bar to bar.
  for (const lane of document.querySelectorAll(".lane > svg")) {
    const stops = [...lane.querySelectorAll("a[href]")];
    stops.sort((one, other) => one.getBoundingClientRect().left - other.getBoundingClientRect().left);
    stops.forEach((each, index) => each.setAttribute("tabindex", index ? "-1" : "0"));
    lane.addEventListener("keydown", (event) => {
      const at = stops.indexOf(document.activeElement);
      const steps = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: stops.length - 1 };
      const next = stops[steps[event.key]];
      if (at < 0 || !next) return;
      event.preventDefault();
      stops[at].setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  }
})();

(function filters() {
  const form = document.querySelector(".filters");
  if (!form) return;
  const groups = [...document.querySelectorAll(".group")].map((element) => ({
    element,
    rule: element.dataset.rule,
    count: element.querySelector("h3 .count"),
    findings: [...element.querySelectorAll(".finding")].map((finding) => ({
      element: finding,
      severity: finding.dataset.severity,
      verdict: finding.dataset.verdict,
      text: finding.querySelector("summary").textContent.toLowerCase(),
      shown: true,
    })),
  }));
  const output = form.querySelector("output");
  const nothing = document.querySelector("#findings > .none");
  const chosen = (name) => {
    const boxes = [...form.querySelectorAll(`input[name="${name}"]`)];
    const on = boxes.filter((box) => box.checked);
    return on.length === boxes.length ? null : new Set(on.map((box) => box.value));
  };
  const apply = () => {
    const verdicts = chosen("verdict");
    const severities = chosen("severity");
    const rule = form.elements.rule ? form.elements.rule.value : "";
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    let all = 0;
    for (const group of groups) {
      let here = 0;
      for (const each of group.findings) {
        const fits =
          (!rule || rule === group.rule) &&
          (!verdicts || verdicts.has(each.verdict)) &&
          (!severities || severities.has(each.severity)) &&
          words.every((word) => each.text.includes(word) || group.rule.toLowerCase() === word);
        if (fits !== each.shown) {
          each.element.hidden = !fits;
          each.shown = fits;
        }
        here += fits;
      }
      all += group.findings.length;
      shown += here;
      group.element.hidden = !here;
      group.count.textContent = here;
    }
    output.textContent = `${shown} of ${all}`;
    nothing.hidden = shown > 0;
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply(); // The browser may have kept what was typed before the page was loaded again.
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      form.elements.text.focus();
    }
  });
})();
