/** Where the operations on accounts are. */
export const LOGIN = "/api/v1/auth/login";
export const REGISTER = "/api/v1/users/register";
export const VERIFY = "/api/v1/users/verify";
export const RESEND = "/api/v1/users/verify/resend";
export const CHANGE = "/api/v1/users/change-password";
export const RESET = "/api/v1/users/password-reset/request";
export const EXECUTE = "/api/v1/users/password-reset/execute";
export const ACCOUNT = "/api/v1/account";
export const ME = `${ACCOUNT}/me`;
export const REVOKE_SESSIONS = `${ACCOUNT}/sessions/revoke`;
export const SUBSCRIPTION = `${ACCOUNT}/subscription`;
export const TRIAL = `${ACCOUNT}/subscriptions/trial`;
export const KEYS = `${ACCOUNT}/api-keys`;
export const SUMMARY = `${ACCOUNT}/reports/summary`;
export const USAGE = `${ACCOUNT}/reports/usage`;
