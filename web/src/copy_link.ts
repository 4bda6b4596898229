// Copies the address, which holds the state of the page.
import { button } from "./dom";

/** For pages of an insecure address, to which browsers offer no clipboard. */
const show = () => void prompt("Link", location.href);

export function copyButton(): HTMLElement {
  const made = button("Copy link", () => {
    const done = () => {
      made.textContent = "Copied";
      setTimeout(() => made.textContent = "Copy link", 2000);
    };
    if (navigator.clipboard) navigator.clipboard.writeText(location.href).then(done, show);
    else show();
  }, { id: "copy-link" });
  return made;
}
