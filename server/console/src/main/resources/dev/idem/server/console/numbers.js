import { html } from "./lib/lit-html/lit-html.js";
export const numbers = { title: "numbers", async open() {}, async changed() {}, view: () => html`numbers` };
