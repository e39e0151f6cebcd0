const ADDRESS = /^https:\/\/(?:(?:www|ptb|canary)\.)?discord(?:app)?\.com\/channels\/\d+\/(\d+)(?:\/(\d+))?\/?$/;

/** The ids in the address of a channel or of a message, as people copy it. */
export function readAddress(text: string): { readonly channelId: string; readonly messageId: string | undefined } | undefined {
  const [, channelId, messageId] = ADDRESS.exec(text) ?? [];
  return channelId === undefined ? undefined : { channelId, messageId };
}

/** A channel as it may be named, without what stands around its id in an address or a mention. */
export function bareChannel(name: string): string {
  return readAddress(name)?.channelId ?? /^<#(\d+)>$/.exec(name)?.[1] ?? name;
}
