/** The one app that the sandbox's Kick knows. It opens nothing but a sandbox. */
export const credentials = { clientId: 'SANDBOXKICKCLIENT', clientSecret: 'sandbox-kick-secret' } as const;
