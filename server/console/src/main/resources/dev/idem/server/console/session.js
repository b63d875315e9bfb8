import { html } from "./lib/lit-html/lit-html.js";
export const session = { title: "session", async open() {}, async changed() {}, view: () => html`session` };
