import { html } from "./lib/lit-html/lit-html.js";
export const search = { title: "search", async open() {}, async changed() {}, view: () => html`search` };
