import { codePoint, fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { OAuth1Helper } from 'twitter-api-v2/dist/cjs/client-mixins/oauth1.helper.js';
import { oauth1Header } from '#adapters/x/auth/oauth1.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** The example of https://docs.x.com/resources/fundamentals/authentication/oauth-1-0a/creating-a-signature. */
const KEYS = {
  apiKey: 'xvz1evFS4wEEPTGEFPHBog',
  apiSecret: 'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw',
  accessToken: '370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb',
  accessSecret: 'LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE',
};

test('the signature equals that of the example of X', () => {
  const clock = new ManualClock(1_318_622_958_000);
  const request = {
    method: 'post',
    url: 'https://api.x.com/1.1/statuses/update.json?include_entities=true',
    form: { status: 'Hello Ladies + Gentlemen, a signed OAuth request!' },
  };

  const header = oauth1Header(request, { keys: KEYS, clock, nonce: () => 'kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg' });

  expect(header).toContain('oauth_timestamp="1318622958"');
  expect(header).toContain('oauth_signature="Ls93hJiZbQ3akF3HF3x1Bz8%2FzU4%3D"');
});

test('every request has a new nonce', () => {
  const request = { method: 'GET', url: 'https://api.x.com/2/users/me' };
  const options = { keys: KEYS, clock: new ManualClock() };

  expect(oauth1Header(request, options)).not.toBe(oauth1Header(request, options));
});

test('signatures equal those of twitter-api-v2 for any query', () => {
  const text = fc.string({ unit: codePoint, minLength: 1, maxLength: 12 }).map((one) => one.toWellFormed());
  const query = fc.dictionary(fc.stringMatching(/^[a-z][a-z._]{0,8}$/), text, { noNullPrototype: true });
  const helper = new OAuth1Helper({ consumerKeys: { key: KEYS.apiKey, secret: KEYS.apiSecret } });

  fc.assert(
    fc.property(query, fc.constantFrom('GET', 'POST', 'DELETE'), (values, method) => {
      const url = new URL('https://api.x.com/2/tweets/search/recent');
      for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
      const { oauth_nonce, oauth_timestamp, oauth_signature } = helper.authorize(
        { url: url.href, method },
        { key: KEYS.accessToken, secret: KEYS.accessSecret },
      );
      const clock = new ManualClock(oauth_timestamp * 1000);
      const ours = oauth1Header({ method, url: url.href }, { keys: KEYS, clock, nonce: () => oauth_nonce });
      expect(ours).toContain(`oauth_signature="${encodeURIComponent(oauth_signature)}"`);
    }),
  );
});
