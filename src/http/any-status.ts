import { ApiError } from '../errors/api-error.ts';
import { AmbiguousOutcomeError } from '../errors/connection-error.ts';
import type { ApiResponse, Send } from './message.ts';

/**
 * A pipeline that returns the response of the last attempt whatever its status is, for a caller that reads
 * statuses. The errors of statuses are thrown inside, so that retries are those of every other request.
 *
 * @param createSend - makes the pipeline around a transport
 */
export const withAnyStatus =
  (createSend: (transport: Send) => Send, transport: Send): Send =>
  async (request) => {
    let latest: ApiResponse | undefined;
    const send = createSend(async (attempt) => {
      latest = undefined;
      latest = await transport(attempt);
      return latest;
    });
    try {
      return await send(request);
    } catch (error) {
      const isOfStatus = error instanceof ApiError || error instanceof AmbiguousOutcomeError;
      if (latest !== undefined && isOfStatus && error.callId === request.callId) return latest;
      throw error;
    }
  };
