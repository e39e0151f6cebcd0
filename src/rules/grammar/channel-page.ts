const CHANNEL_PAGE =
  /^(?:https?:\/\/)?(?:www\.|m\.)?(?:twitch\.tv|kick\.com|youtube\.com)\/(?:(?:channel|c|user)\/)?@?([\w.-]+)\/?(?:[?#].*)?$/iu;

/** The name in the address of the page of a channel, for example `ada` in `https://www.twitch.tv/ada`; undefined: the text is no such address. */
export function nameInPage(text: string): string | undefined {
  return CHANNEL_PAGE.exec(text.trim())?.[1];
}
