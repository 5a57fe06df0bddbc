"use strict";
// Search and the theme. Without this script the pages can be read, and have their links.
(() => {
  const root = document.currentScript.dataset.root;
  const page = document.documentElement;
  const remembered = { // a browser may refuse to store anything
    get() { try { return localStorage.getItem("quern-docs-theme"); } catch { return null; } },
    set(theme) { try { localStorage.setItem("quern-docs-theme", theme); } catch { /* the theme lasts until the next page */ } },
  };
  if (remembered.get()) page.dataset.theme = remembered.get();

  document.addEventListener("DOMContentLoaded", () => {
    for (const table of document.querySelectorAll("article table")) {
      const wide = document.createElement("div");
      wide.className = "wide";
      table.replaceWith(wide);
      wide.append(table);
    }
    scrollable();
    theme(document.querySelector(".theme"));
    search(document.querySelector(".search"));
    const narrow = matchMedia("(max-width: 60rem)");
    if (narrow.matches) document.querySelector(".menu").open = false;
    narrow.addEventListener("change", () => { document.querySelector(".menu").open = !narrow.matches; });
  });

  /** What is wider than the page scrolls by itself, so the keyboard has to reach it. */
  function scrollable() {
    for (const e of document.querySelectorAll("pre, .wide")) {
      if (e.scrollWidth > e.clientWidth) e.tabIndex = 0;
    }
  }

  function theme(button) {
    const dark = () => (page.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    const show = () => { button.textContent = dark() ? "Light" : "Dark"; };
    button.hidden = false;
    button.addEventListener("click", () => {
      page.dataset.theme = dark() ? "light" : "dark";
      remembered.set(page.dataset.theme);
      show();
    });
    show();
  }

  /** Loads the index of search once, when it is needed; a failure may be tried again. */
  let loading;
  function index() {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = root + "search-index.js";
      script.onload = () => resolve(window.quernSearch.map((s) => ({ ...s, title: s.t.toLowerCase(), heading: (s.h || s.t).toLowerCase(), text: s.x.toLowerCase() })));
      script.onerror = () => { loading = undefined; script.remove(); reject(new Error("the index could not be loaded")); };
      document.head.append(script);
    });
    return loading;
  }

  /** How often a word begins in a text. */
  function begins(text, word) {
    let count = 0;
    for (let i = text.indexOf(word); i >= 0; i = text.indexOf(word, i + 1)) {
      if (i === 0 || !/[a-z0-9]/.test(text[i - 1]) || !/[a-z0-9]/.test(word[0])) count++;
    }
    return count;
  }

  /** Every word has to begin somewhere in the section; headings and titles count most, then the whole phrase, then how often the text has it. */
  function score(s, words) {
    let sum = 0;
    for (const w of words) {
      const here = (begins(s.heading, w) ? 30 : 0) + (begins(s.title, w) ? 15 : 0) + Math.min(begins(s.text, w), 8);
      if (here === 0) return 0;
      sum += here;
    }
    const whole = words.join(" ");
    const phrase = words.length > 1 ? 40 : 60;
    return sum + (s.heading === whole ? phrase : 0) + (s.title === whole ? 40 : 0) + (words.length > 1 && begins(s.text, whole) ? 25 : 0) + (s.h ? 0 : 3);
  }

  function search(form) {
    const input = form.querySelector("input");
    const found = form.querySelector(".found");
    const status = form.querySelector(".status");
    const list = form.querySelector("ul");
    let selected = -1;
    form.hidden = false;

    function select(i) {
      selected = i;
      [...list.children].forEach((li, j) => li.setAttribute("aria-selected", String(i === j)));
      const li = list.children[i];
      if (li) { li.scrollIntoView({ block: "nearest" }); input.setAttribute("aria-activedescendant", li.id); } else input.removeAttribute("aria-activedescendant");
    }
    function open(yes) {
      found.hidden = !yes;
      input.setAttribute("aria-expanded", String(yes));
      if (!yes) select(-1);
    }
    async function find() {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      list.replaceChildren();
      select(-1);
      if (words.length === 0) return open(false);
      open(true);
      status.textContent = "Loading the index…";
      let sections;
      try { sections = await index(); } catch {
        status.textContent = "The search index could not be loaded. Check that the server still runs, and press Enter to try again.";
        return;
      }
      if (words.join(" ") !== input.value.toLowerCase().split(/\s+/).filter(Boolean).join(" ")) return; // typed on meanwhile
      const hits = sections.map((s) => [score(s, words), s]).filter(([n]) => n > 0).sort((a, b) => b[0] - a[0]);
      status.textContent = hits.length === 0 ? `No page has “${input.value.trim()}”. Try fewer or other words.` : hits.length === 1 ? "1 section" : `${hits.length} sections`;
      list.replaceChildren(...hits.slice(0, 20).map(([, s], i) => item(s, words, i)));
    }

    input.addEventListener("input", find);
    input.addEventListener("focus", () => { if (input.value) find(); });
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      const li = list.children[Math.max(selected, 0)];
      if (li) location.href = li.firstChild.href; else find();
    });
    form.addEventListener("keydown", (e) => {
      const count = list.children.length;
      if (e.key === "Escape") { open(false); input.blur(); }
      else if (e.key === "ArrowDown" && count) { e.preventDefault(); select((selected + 1) % count); }
      else if (e.key === "ArrowUp" && count) { e.preventDefault(); select((selected + count - 1) % count); }
    });
    document.addEventListener("click", (e) => { if (!form.contains(e.target)) open(false); });
    list.addEventListener("click", () => open(false));
    document.addEventListener("keyup", (e) => { // the field must not get the key that opens it
      if (e.key === "/" && document.activeElement !== input && !e.ctrlKey && !e.metaKey && !e.altKey) { input.focus(); input.select(); }
    });
  }

  function item(s, words, i) {
    const li = document.createElement("li");
    li.id = `result-${i}`;
    li.role = "option";
    li.setAttribute("aria-selected", "false");
    const a = document.createElement("a");
    a.href = root + s.p;
    a.tabIndex = -1;
    const title = document.createElement("b");
    title.textContent = s.h ? `${s.t}: ${s.h}` : s.t;
    const text = document.createElement("small");
    text.append(...marked(around(s, words), words));
    a.append(title, text);
    li.append(a);
    return li;
  }

  /** The text around the first of the words. */
  function around(s, words) {
    const first = Math.min(...words.map((w) => s.text.indexOf(w)).filter((i) => i >= 0), s.text.length);
    const from = first === s.text.length ? 0 : Math.max(0, s.x.lastIndexOf(" ", Math.max(0, first - 50)));
    return (from > 0 ? "…" : "") + s.x.slice(from, from + 180) + (from + 180 < s.x.length ? "…" : "");
  }

  function marked(text, words) {
    const pattern = new RegExp(`(${words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
    return text.split(pattern).map((part, i) => {
      if (i % 2 === 0) return part;
      const m = document.createElement("mark");
      m.textContent = part;
      return m;
    });
  }
})();
