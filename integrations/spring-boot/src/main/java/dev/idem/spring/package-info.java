/**
 * Idem in a Spring Boot application: an {@link dev.idem.Idem} bean, and a filter for requests with an idempotency key.
 *
 * <pre>
 * ledger        IdemAutoConfiguration: the bean, DataSourceLedger, IdemProperties and those that are misspelt
 * requests      IdemHttpAutoConfiguration: OnceHandlers, RouteFinder, UnguardedHandlers, Denial
 * bean methods  IdemOnceAutoConfiguration: OnceProcessor, OnceInterceptor, OnceMethod, OnceChecks
 * transactions  IdemTransactionsAutoConfiguration: those around a call; OwnTransaction: those that a method begins;
 *               HandlerTransactions: those of handlers
 * webhooks      IdemWebhookAutoConfiguration: WebhookEndpoints, WebhookMethods
 * actuator      IdemEndpointAutoConfiguration: IdemEndpoint; also IdemHealth… and IdemMetersAutoConfiguration
 * Spring AI     IdemToolsAutoConfiguration: LazyToolCallingManager
 * </pre>
 *
 * It is one package, since these parts share OnceChecks, OwnTransaction, WebhookEndpoints and UnguardedHandlers. In packages of
 * their own they would have to be public, and applications could use them.
 */
@NullMarked
package dev.idem.spring;

import org.jspecify.annotations.NullMarked;
