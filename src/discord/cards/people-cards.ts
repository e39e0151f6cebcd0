import type { APIEmbed } from 'discord.js';
import type { User as SocialUser } from '#src/clients/social/records/user.ts';
import type { User as Channel } from '#src/clients/streaming/records.ts';
import { figure, instant } from '#src/discord/text/format.ts';
import { escaped, escapedLines } from '#src/discord/text/untrusted-text.ts';
import type { Reader } from '#src/discord/caller.ts';
import { acceptedAddress } from '#src/clients/operation/accepted-address.ts';
import { type CardSize, COLORS, factsOf, linked, linkTo, pictureOf } from './card.ts';

const LONGEST_WEBSITE = 150;
const LONGEST_BIO = { small: 400, large: 2_000 } as const;

/** The profile of a channel. */
export function channelCard(user: Channel, reader: Reader, size: CardSize): APIEmbed {
  const { followerCount, createdAt, verified, isLive } = user;
  const { cards } = reader.texts.lookups;
  const facts = factsOf(
    isLive === true ? `**${cards.live}**` : undefined,
    followerCount === undefined ? undefined : cards.followers(figure(followerCount, reader), followerCount),
    verified === 'none' ? undefined : cards[verified],
    createdAt && cards.hereSince(instant(createdAt, 'day')),
  );
  return { color: COLORS.streaming, ...profileOf({ ...user, isVerified: verified === 'partner' }, facts, size) };
}

/** The profile of a user of a social platform. */
export function personCard(user: SocialUser, reader: Reader, size: CardSize): APIEmbed {
  const { followerCount, followingCount, postCount, createdAt, location, websiteUrl, bot } = user;
  const { cards } = reader.texts.lookups;
  const facts = factsOf(
    bot === true ? cards.bot : undefined,
    user.protected === true ? cards.protected : undefined,
    followerCount === undefined ? undefined : cards.followers(figure(followerCount, reader), followerCount),
    followingCount === undefined ? undefined : cards.following(figure(followingCount, reader), followingCount),
    postCount === undefined ? undefined : cards.posts(figure(postCount, reader), postCount),
    location === undefined ? undefined : escaped(location, 60),
    createdAt && cards.hereSince(instant(createdAt, 'day')),
    websiteOf(websiteUrl),
  );
  return { color: COLORS.social, ...profileOf({ ...user, isVerified: user.verified !== 'none' }, facts, size) };
}

/** Shows only the host, because the rest of an address may be misleading. */
function websiteOf(url: string | undefined): string | undefined {
  const address = acceptedAddress(url, LONGEST_WEBSITE);
  return address === undefined ? undefined : linkTo(address, escaped(new URL(address).hostname, 60), LONGEST_WEBSITE);
}

interface Profile extends Pick<Channel, 'handle' | 'displayName' | 'url' | 'bio' | 'avatarUrl' | 'bannerUrl'> {
  readonly isVerified: boolean;
}

function profileOf(
  { handle, displayName, url, bio, avatarUrl, bannerUrl, isVerified }: Profile,
  facts: string,
  size: CardSize,
): Omit<APIEmbed, 'color'> {
  const name = escaped(displayName, 100) || escaped(handle, 100) || '?';
  const at = escaped(handle, 60);
  const about = escapedLines(bio ?? '', LONGEST_BIO[size]);
  const banner = size === 'large' ? pictureOf(bannerUrl, 'large') : {};
  return {
    title: `${name}${isVerified ? ' ✓' : ''}`,
    ...linked(url),
    description: [`-# \\@${at}`, about, facts].filter((part) => part !== '').join('\n'),
    ...pictureOf(avatarUrl, 'small'),
    ...banner,
  };
}
