package android.view;

import android.content.Context;
import standin.Phone;

public abstract class ViewGroup extends View {
  public ViewGroup(Context context) {
    super(context);
  }

  public void addView(View view, int index) {
    Phone.screen.children.add(index, view);
  }

  public void removeView(View view) {
    Phone.screen.children.remove(view);
  }
}
