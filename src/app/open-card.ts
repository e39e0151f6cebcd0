import { catalogue } from '#src/clients/catalogue.ts';
import type { Clients } from '#src/clients/clients.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { EmbedDraft } from '#src/clients/chat/parameters.ts';
import type { Button } from '#src/clients/chat/buttons.ts';
import type { Layout } from '#src/clients/chat/layout.ts';
import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import { isOnIn } from '#src/config/is-on.ts';
import type { CardForm, RenderCard } from '#src/discord/following/followed-card.ts';
import { shippedFiles } from '#src/engine/rule-sets/shipped-rules.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import { SAMPLE_ORIGIN } from '#src/engine/testing/world/sample-record.ts';
import { lateModule } from '#src/errors.ts';
import { FOLLOWED } from '#src/rules/lists.ts';
import type { Rule } from '#src/rules/rule.ts';
import { accountsOf } from './accounts.ts';

interface OpenCardOptions {
  readonly config: Config;
  readonly clients: Clients;
  readonly registry: Pick<RuleRegistry, 'now'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

const loadParts = lateModule('the card of a streamer', () =>
  Promise.all([
    import('#src/engine/simulation/preview/person-message.ts'),
    import('./preview-accounts.ts'),
    import('#adapters/discord/wire/components.ts'),
    import('#adapters/discord/wire/embed.ts'),
  ]),
);

/** Renders the card of the rule over followed streamers: that of the folder, or the shipped one, whether it runs yet or not. */
export function openCard({ config, clients, registry, clock }: OpenCardOptions): RenderCard {
  const accounts = accountsOf(config);

  function ruleOf(): Rule | undefined {
    const loaded = registry.now.rules.find(({ id }) => id === FOLLOWED);
    const shipped = shippedFiles([], { catalogue, accounts, isOn: isOnIn(config), names: [FOLLOWED] });
    return loaded ?? shipped.flatMap(({ rules }) => rules)[0];
  }

  return async ({ entry, streamOn }) => {
    const [{ personMessage }, { previewAccounts }, { toWireComponents }, { toWireEmbeds }] = await loadParts();
    const rule = ruleOf();
    if (!rule) return { failure: `the rule ${FOLLOWED} has errors` };
    const message = await personMessage(rule, { entry, streamOn, accounts: previewAccounts(clients), nowMs: clock.nowMs() });
    if ('failure' in message) return message;
    const form = (params: CardParams): CardForm => ({
      ...(params.layout === undefined && {
        content: params.content,
        embeds: toWireEmbeds(params.embeds ?? (params.embed ? [params.embed] : [])),
      }),
      ...toWireComponents(params),
    });
    return { form: form(withoutSamples(message.params) as CardParams) }; // the operation checked its parameters
  };
}

/** The visible parameters of `discord.send`. */
interface CardParams {
  readonly content?: string;
  readonly embed?: EmbedDraft;
  readonly embeds?: readonly EmbedDraft[];
  readonly buttons?: readonly Button[];
  readonly layout?: Layout;
}

/** Without the addresses of pictures that a sample stream does not have. */
function withoutSamples(value: JsonObject): JsonObject;
function withoutSamples(value: Json | undefined): Json | undefined;
function withoutSamples(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') return value.startsWith(SAMPLE_ORIGIN) ? '' : value;
  if (isJsonList(value)) return value.map((one) => withoutSamples(one) ?? null);
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutSamples(one)])) : value;
}
