import { socialContract } from '../../contract/social.ts';
import { openBluesky } from './open-bluesky.ts';

socialContract(openBluesky);
