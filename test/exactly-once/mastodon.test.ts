import { describe } from 'vitest';
import { MASTODON } from './networks.ts';
import { postsOnce } from './suite.ts';

describe('mastodon', () => {
  postsOnce(MASTODON);
});
