import { isBoolean, messageReader } from '../kit/checks.ts';
import type { ToImportPanel } from './messages.ts';

/** A message of the import page; undefined for anything else. */
export const readImportMessage = messageReader<ToImportPanel>({ ready: {}, import: { force: isBoolean }, cancel: {} });
