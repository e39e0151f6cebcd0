import { expect, test } from 'vitest';
import { kick } from '#adapters/kick/index.ts';
import { streamingTopics } from '#src/clients/streaming/bot.ts';

test('every operation has a capability on Kick, and every supported one has a primitive', () => {
  const { capabilities, operations } = kick({ clientId: 'client', clientSecret: 'secret' });
  const methods = streamingTopics.flatMap((topic) => Object.values(topic));
  const declared = new Set<string>(methods.map((method) => method.declared.name));

  const able = Object.entries(capabilities).flatMap(([name, { support }]) => (support === 'unsupported' ? [] : [name]));

  expect(new Set(Object.keys(capabilities))).toEqual(declared);
  expect(new Set(Object.keys(operations))).toEqual(new Set(able));
});
