import { DEFINITIONS } from '#src/config/accounts.ts';
import type { JsonSchema } from '#src/rules/editor-schema.ts';
import { code, codeBlock, frontMatter, paragraphs, table } from './markdown.ts';

const INTRODUCTION = `This page lists every environment variable that Fanfare reads.

Set the variables in the environment of the process, or in a file \`.env\` in the folder where you start Fanfare. The environment takes
precedence. An empty variable counts as not set, even if \`.env\` sets it. \`fanfare auth\` writes the variables of an account to \`.env\`. After a change, restart Fanfare.

\`start\`, \`check\` and \`doctor\` warn about names that are close to a variable, for example \`TWICH_CLIENT_ID\`, about values that are probably copied wrong, and
about lines and \`.env\` files that are not read. A warning contains names, never values.

The environment has one account per platform, named after the platform. For more accounts, use [fanfare.yaml](fanfare-yaml.md).`;

const WEBHOOKS = `## Webhooks of rules

The senders of [webhooks](rule-keys.md#webhook) prove a secret. The name of the variable contains the name of the webhook in capital letters, with \`_\` instead of \`-\`: the webhook
\`my-shop\` has \`FANFARE_WEBHOOK_MY_SHOP_SECRET\`. A secret has at least 16 characters, and a webhook has one of these variables.

| variable | meaning |
|---|---|
| \`FANFARE_WEBHOOK_<NAME>_SECRET\` | The secret with which the sender signs. With \`whsec_\`: as Standard Webhooks or Stripe. Otherwise: the HMAC-SHA256 of the body, in \`X-Hub-Signature-256\`, as GitHub, Gitea and Forgejo. |
| \`FANFARE_WEBHOOK_<NAME>_HEADER\` | Another header with the HMAC-SHA256 of the body, for example \`X-Shopify-Hmac-Sha256\`. It has hexadecimal digits or Base64, with or without \`sha256=\`. |
| \`FANFARE_WEBHOOK_<NAME>_TOKEN\` | The token of a sender that signs nothing: in \`Authorization: Bearer\`, \`X-Webhook-Token\`, \`X-Gitlab-Token\`, the parameter \`token\` of the address, or the field \`verification_token\` of the payload. |
| \`FANFARE_WEBHOOK_<NAME>_SECRET_FILE\`, \`FANFARE_WEBHOOK_<NAME>_TOKEN_FILE\` | The same in a file, for example of Docker. |`;

/** The groups of variables that belong to no account, by the beginning of their names. */
const GENERAL = /^(?:PORT|HOST|FANFARE_|LOG_|DATABASE_)/u;
const GROUPS: readonly (readonly [title: string, has: (name: string) => boolean])[] = [
  ['Fanfare', (name) => GENERAL.test(name)],
  ...DEFINITIONS.map(({ title, variables }) => [title, (name: string) => name in variables] as const),
  ['Sign-in with Discord', (name) => name === 'DISCORD_CLIENT_SECRET'],
  ['GIPHY', (name) => name.startsWith('GIPHY_')],
  ['Traces', (name) => name.startsWith('OTEL_')],
];

/** The reference of the environment, from the JSON Schema of its variables. */
export function environmentPage({ properties = {} }: JsonSchema): string {
  const variables = Object.entries(properties).map(([name, schema]) => ({ name, schema: typeof schema === 'object' ? schema : {} }));
  const sections = GROUPS.map(([title, has]) => ({ title, members: variables.filter(({ name }) => has(name)) }));
  const listed = new Set(sections.flatMap(({ members }) => members));
  const forgotten = variables.filter((variable) => !listed.has(variable));
  if (forgotten.length > 0) throw new Error(`no group has ${forgotten.map(({ name }) => name).join(', ')}`);
  return paragraphs(
    frontMatter('Environment variables'),
    '# Environment variables',
    INTRODUCTION,
    codeBlock('sh', '# .env\nTWITCH_CLIENT_ID=gp762nuuoqcoxypju8c569th9wz7q5\nTWITCH_CLIENT_SECRET=…\nLOG_LEVEL=debug'),
    ...sections.flatMap(({ title, members }) => [
      `## ${title}`,
      table(
        ['variable', 'type', 'default', 'example', 'meaning'],
        members.map(({ name, schema }) => [
          code(name),
          typeOf(schema),
          valueText(schema.default),
          valueText(schema.examples?.[0]),
          schema.description ?? '',
        ]),
      ),
    ]),
    WEBHOOKS,
  ).concat('\n');
}

function typeOf({ format, enum: choices }: JsonSchema): string {
  if (choices) return choices.map((choice) => code(String(choice))).join(', ');
  if (format === 'uri') return 'address';
  return format ?? 'text';
}

/** A value as the text of a variable. */
function valueText(value: unknown): string {
  const texts = [value ?? []].flat().filter((part) => typeof part === 'string' || typeof part === 'number');
  return texts.length === 0 ? 'none' : code(texts.join(','));
}
