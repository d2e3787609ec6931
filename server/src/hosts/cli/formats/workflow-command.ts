/** The commands by which a job's output tells GitHub of places: `::error file=…,line=…::message`. */
import { visible } from '../../../text.ts';

export type WorkflowLevel = 'error' | 'warning' | 'notice';

/** One line; properties in their order. */
export function workflowCommand(
  level: WorkflowLevel,
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const words = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${level} ${words.join(',')}::${data(message)}`;
}

const data = (text: string): string =>
  text.split('\n').map(visible).join('\n').replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
