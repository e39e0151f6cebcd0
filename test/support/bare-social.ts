import type { Capability } from '#src/clients/operation/capability.ts';
import { socialTopics, type SocialPlatform } from '#src/clients/social/social.ts';

/** A social platform with only these operations. */
export function bareSocial(operations: SocialPlatform['operations'] = {}): SocialPlatform {
  const names = socialTopics.flatMap((topic) => Object.values(topic)).map(({ declared }) => declared.name);
  const capabilityOf = (name: string): Capability =>
    name in operations ? { support: 'native' } : { support: 'unsupported', reason: 'NO_ENDPOINT' };
  const capabilities = Object.fromEntries(names.map((name) => [name, capabilityOf(name)]));
  return { name: 'bare', account: 'bare', operations, capabilities: capabilities as SocialPlatform['capabilities'] }; // one for each declaration
}
