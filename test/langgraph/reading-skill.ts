/** A skill that reads pages, and the tools of such skills. */
import { skill } from '../core/composer/shapes.ts';
import type { Environment } from './thread.ts';

export const reading = skill('read', 'input_schema: {}\ntools: [read_page, search_pages]');
export const tools: Required<Environment>['tools'] = {
  read_page: () => 'a page',
  search_pages: () => 'three pages',
  write_candidate: () => 7,
};
