export type { Path, YamlPlace } from './cursor-place.ts';
