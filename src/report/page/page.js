"use strict";
// What happens without a part is shown below its text when one points at it or moves to it with the arrow keys.
for (const figure of document.querySelectorAll(".after")) {
  const explain = figure.querySelector(".explain");
  const parts = [...figure.querySelectorAll(".part")];
  if (!explain || parts.length === 0) continue;
  explain.textContent = explain.dataset.hint;
  let chosen = -1;
  const choose = (place) => {
    if (chosen >= 0) {
      parts[chosen].classList.remove("chosen");
      parts[chosen].tabIndex = -1;
    }
    chosen = place;
    const part = parts[place];
    part.classList.add("chosen");
    part.tabIndex = 0;
    const text = part.textContent;
    const shown = text.length > 60 ? text.slice(0, 40) + " … " + text.slice(-15) : text;
    explain.className = "explain " + part.classList[1];
    explain.textContent = figure.dataset.lead ?? "Without ";
    const code = document.createElement("code");
    code.textContent = shown;
    explain.append(code, ": " + part.dataset.without + ".");
  };
  parts.forEach((part, place) => {
    part.tabIndex = place === 0 ? 0 : -1;
    part.addEventListener("mouseover", (event) => { event.stopPropagation(); choose(place); });
    part.addEventListener("focus", () => choose(place));
    part.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const next = parts[place + (step || 0)];
      if (!step || !next) return;
      event.preventDefault();
      event.stopPropagation();
      next.tabIndex = 0;
      next.focus();
    });
  });
}
// A button to copy each command, where the browser lets a page do that.
for (const command of navigator.clipboard ? document.querySelectorAll(".command") : []) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(command.querySelector("code").textContent.trim());
    button.textContent = "copied";
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });
  command.append(button);
}
// A tree that is wider than its box is shown from its root.
for (const tree of document.querySelectorAll(".tree")) {
  tree.scrollLeft = (tree.scrollWidth - tree.clientWidth) / 2;
}
