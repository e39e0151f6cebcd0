import { isSocial } from '../../contract/social.ts';
import { openBluesky } from './open-bluesky.ts';

isSocial(openBluesky);
