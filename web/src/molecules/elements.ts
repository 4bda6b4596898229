// Colors and sizes of atoms. Red and blue are reserved for contributions.

export interface Look {
  radius: number; // Angstrom
  light: string;
  dark: string;
  isDark: boolean; // the label is white
}

const kLooks: Record<string, Look> = {
  H: { radius: 0.2, light: "#ffffff", dark: "#b9bcc2", isDark: false },
  C: { radius: 0.3, light: "#8d9096", dark: "#2f3136", isDark: true },
  N: { radius: 0.32, light: "#e3d8f7", dark: "#9a80c9", isDark: false },
  O: { radius: 0.32, light: "#fff3c4", dark: "#d6ab3a", isDark: false },
  F: { radius: 0.3, light: "#dff5dc", dark: "#7db977", isDark: false }
};
const kOther: Look = { radius: 0.36, light: "#f4f4f4", dark: "#a5a39a", isDark: false };

export const lookOf = (element: string) => kLooks[element] ?? kOther;
