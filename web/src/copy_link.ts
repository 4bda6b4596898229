// Copies the address, which holds the state of the page.
import { button } from "./dom";

export function copyButton(): HTMLElement {
  const made = button("Copy link", () => {
    const done = () => {
      made.textContent = "Copied";
      setTimeout(() => made.textContent = "Copy link", 2000);
    };
    navigator.clipboard?.writeText(location.href).then(done, () => prompt("Link", location.href));
  }, { id: "copy-link" });
  return made;
}
