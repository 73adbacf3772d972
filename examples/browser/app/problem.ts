import {
  InvalidCredentialsError,
  isApiError,
  isConnectionError,
  isRestkinError,
  TokenRequestError,
} from 'restkin';

/** What a person is told of an error. */
export const toProblem = (error: unknown): string => {
  if (error instanceof InvalidCredentialsError) return 'Wrong username or password.';
  if (isApiError(error, 503) || isConnectionError(error))
    return 'The order desk cannot be reached. Please try again.';
  if (error instanceof TokenRequestError && error.temporary)
    return 'Nobody can log in just now. Please try again.';
  // The server's message is for the person; those of restkin can be shown too, as they hold no secret.
  if (isApiError(error) && error.detail !== undefined) return error.detail;
  return isRestkinError(error) ? error.message : 'Something is wrong with this page.';
};
