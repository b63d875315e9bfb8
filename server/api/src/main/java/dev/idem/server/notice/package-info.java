/** Notices: a webhook, Slack or a program is told about each call that needs a person, once. */
@NullMarked
package dev.idem.server.notice;

import org.jspecify.annotations.NullMarked;
