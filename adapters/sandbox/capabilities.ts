import type { Capability } from '#src/operation/capability.ts';
import { catalogueOf } from '#src/operation/catalogue.ts';
import { noAssistant } from '#src/social/own/assistant.ts';
import { platformTopics, type SocialPlatform } from '#src/social/social.ts';

const served = [...catalogueOf({ social: platformTopics }).values()];

/** What the sandbox makes of each operation: it has whatever is declared, but for an assistant. */
export const capabilities: SocialPlatform['capabilities'] = {
  ...(Object.fromEntries(served.map(({ name }) => [name, native(name)])) as SocialPlatform['capabilities']), // made from all declarations
  ...noAssistant,
};

function native(name: string): Capability {
  return { support: 'native', endpoints: [`POST /${name}`] };
}
