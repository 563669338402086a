/** Maestro's version, equal to the package's. */
export const VERSION = '0.1.0';
