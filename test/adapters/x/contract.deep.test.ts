import { describe } from 'vitest';
import { socialContract } from '../../contract/social.ts';
import { openX } from './open-x.ts';

describe('with a public plan', () => {
  socialContract(openX);
});
describe('with an enterprise plan', () => {
  socialContract(() => openX({}, { tier: 'enterprise' }));
});
