import { describe } from 'vitest';
import { isSocial } from '../../contract/social.ts';
import { openX } from './open-x.ts';

describe('with a plan that anybody can buy', () => {
  isSocial(openX);
});
describe('with the plan of an enterprise', () => {
  isSocial(() => openX({}, { tier: 'enterprise' }));
});
