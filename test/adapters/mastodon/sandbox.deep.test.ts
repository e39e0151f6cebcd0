import { socialContract } from '../../contract/social.ts';
import { openMastodon } from './open-mastodon.ts';

socialContract(openMastodon);
