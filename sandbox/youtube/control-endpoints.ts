import { hubEndpoints } from '../websub/control-endpoints.ts';

export const youtubeHub = hubEndpoints('youtube', 'https://www.youtube.com/feeds/videos.xml?channel_id=UCBR8-60-B28hp2BmDPdntcQ');
