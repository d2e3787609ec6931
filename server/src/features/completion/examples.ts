/** The data of an Example: the fields and values of the contract's schema. */
import type { ExampleData } from '../../skill/artifact-data.ts';
import { dataProposals } from './data.ts';
import type { Cursor, Offer } from './proposal.ts';
import { findYamlCursor, offerAt } from './yaml-place.ts';

export function offerInExample(from: Cursor, { side, tree, artifact }: ExampleData): Offer | undefined {
  const { contract } = from.file;
  const schema = (side === 'input' ? contract.input : contract.output)?.schema;
  const cursor = schema && findYamlCursor(from, tree);
  if (!schema || !cursor) return undefined;
  const isJson = artifact.example?.[side]?.format === 'json';
  return offerAt(cursor, dataProposals(cursor, schema, cursor.place.path, isJson));
}
