// Copies the address, which holds the state of the page.
import { button } from "./dom";

export function copyButton(): HTMLElement {
  const made = button("Copy link", () => {
    const done = () => {
      made.textContent = "Copied";
      setTimeout(() => made.textContent = "Copy link", 2000);
    };
    // Browsers offer no clipboard to pages of an insecure address.
    const show = () => void prompt("Link", location.href);
    if (navigator.clipboard) navigator.clipboard.writeText(location.href).then(done, show);
    else show();
  }, { id: "copy-link" });
  return made;
}
