/** All clients of the lab, in the order of their IDs. */
import type { LabClient } from '../client.ts';
import { pi } from './pi.ts';

export const CLIENTS: readonly LabClient[] = [pi];
