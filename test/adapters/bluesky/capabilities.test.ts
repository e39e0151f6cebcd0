import { expect, test } from 'vitest';
import { bluesky } from '#adapters/bluesky/index.ts';
import { platformTopics, socialTopics } from '#src/clients/social/social.ts';

test('every operation has a capability, and every supported operation has a primitive', () => {
  const { capabilities, operations } = bluesky({ handle: 'ada.test', appPassword: 'abcd-efgh-ijkl-mnop' });
  const declaredIn = (topics: typeof socialTopics | typeof platformTopics): Set<string> =>
    new Set(topics.flatMap((topic) => Object.values(topic)).map(({ declared }) => declared.name));

  const able = Object.entries(capabilities).flatMap(([name, { support }]) => (support === 'unsupported' ? [] : [name]));

  expect(new Set(Object.keys(capabilities))).toEqual(declaredIn(socialTopics));
  expect(new Set(Object.keys(operations))).toEqual(new Set(able));
});

test('every operation that creates something has a recovery', () => {
  const { capabilities, recover = {} } = bluesky({ handle: 'ada.test', appPassword: 'abcd-efgh-ijkl-mnop' });
  const creating = platformTopics
    .flatMap((topic) => Object.values(topic))
    .flatMap(({ declared }) => (declared.kind === 'write' && declared.effect === 'creates' ? [declared.name] : []));

  const able = creating.filter((name) => capabilities[name as keyof typeof capabilities].support !== 'unsupported'); // it is declared

  expect(new Set(Object.keys(recover))).toEqual(new Set(able));
});
