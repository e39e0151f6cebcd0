/** The one app that the sandbox's Twitch knows. It opens nothing but a sandbox. */
export const credentials = { clientId: 'sandboxtwitchclient', clientSecret: 'sandbox-twitch-secret' } as const;
