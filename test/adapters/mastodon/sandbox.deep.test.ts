import { isSocial } from '../../contract/social.ts';
import { openMastodon } from './open-mastodon.ts';

isSocial(openMastodon);
