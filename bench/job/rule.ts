import { GAME } from './report.ts';

/** Posts each stream that enters the top five. */
export const RULE = `
id: top-five
when:
  every: 5s
  watch: streaming.getGameStreams
  with: { game: ${GAME} }
  take: 5
  changes: [entered]
cooldown: 6h
fuse: { firings: 100000, per: 1h }
then:
  - do: social.createPost
    with: { text: "\${{ item.owner.displayName }} is #\${{ item.rank }} with \${{ item.viewerCount }} viewers \${{ item.url }}" }
`;
