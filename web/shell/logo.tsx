import classes from './logo.module.css';
import mark from './logo.svg';

export const Logo = ({ size = 26 }: { size?: number }) => (
  <div className={classes['logo']} style={{ fontSize: size * 0.72 }}>
    <img src={mark} width={size} height={size} alt="" />
    Weir
  </div>
);
